module example.com/refund-limit

go 1.26
